import { uuids } from '../../generators/uuids.ts';
import { fourProperties } from './four-properties.ts';

fourProperties('uuids', {
  arbitrary: uuids(),
  isRight: (uuid) =>
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid) ||
    /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(uuid),
});
