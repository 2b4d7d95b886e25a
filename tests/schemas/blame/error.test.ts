import { blames, put, without } from './hold.ts';

const SOME_CODE = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'QUOTE_NOT_FOUND',
  500: 'SERVICE_SWITCH_ERROR',
};

for (const [text, code] of Object.entries(SOME_CODE)) {
  const status = Number(text);
  const error = { status, code, message: 'm' };
  blames(`Error${status}`, [
    ['a legal one', error],
    ['details with anything', { ...error, details: { a: 1 } }],
    ['another status', { ...error, status: status + 1 }, 'ERROR-STATUS'],
    ['the status in quotes', { ...error, status: String(status) }, 'ERROR-STATUS'],
    ['no status', without(error, 'status'), 'ERROR-STATUS'],
    ['an unknown code', { ...error, code: 'NOPE' }, `ERROR-CODE-${status}`],
    ['a numeric code', { ...error, code: 5 }, 'ERROR-CODE'],
    ['no code', without(error, 'code'), 'ERROR-CODE'],
    ['no message', without(error, 'message'), 'ERROR-MESSAGE'],
    ['details as a list', { ...error, details: [] }, 'ERROR-DETAILS'],
    ['a text in place of the object', 'x', 'ERROR-BODY'],
  ]);
}

const fields = {
  status: 400,
  code: 'INVALID_INPUT',
  message: 'm',
  details: { errors: [{ field: 'a.b', constraint: {}, message: 'm' }] },
};

blames('Error400', [
  ['field errors', fields],
  ['field errors that are no list', put(fields, 'details.errors', {}), 'ERROR-FIELD-LIST'],
  ['a field error as text', put(fields, 'details.errors', ['a']), 'ERROR-FIELD-LIST'],
  ['a field error without its field', put(fields, 'details.errors', [{}]), 'ERROR-FIELD-PATH'],
  ['a field as a JSON pointer', put(fields, 'details.errors', [{ field: '/a/b' }]), 'ERROR-FIELD-PATH'],
  ['a numeric message', put(fields, 'details.errors', [{ field: 'a', message: 1 }]), 'ERROR-FIELD-MESSAGE'],
]);

blames('ErrorOther', [['anything, where no body is shown', 'anything']]);
