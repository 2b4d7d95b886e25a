const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not end in time',
  UND_ERR_ABORTED: 'no answer came in time',
  ETIMEDOUT: 'no connection could be made in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate chain holds a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its TLS certificate is not trusted here',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on that port',
  EPROTO: 'it does not speak TLS on that port',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP on that port',
  HPE_HEADER_OVERFLOW: "the answer's headers are too large",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
  ASSAY_TOO_LARGE: 'the answer is larger than 16 MiB',
};

/** Says in plain words why no answer came. Never holds a secret: only the error's code and name are used. */
export function describeTransportFailure(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return 'no answer came in time';
    const code = (cause as { code?: unknown }).code;
    if (cause.name === 'HTTPParserError' && !(typeof code === 'string' && code in SENTENCES))
      return 'it does not speak HTTP on that port';
    if (typeof code !== 'string') {
      if (cause instanceof AggregateError && cause.errors.length > 0)
        return describeTransportFailure(cause.errors[0]);
      continue;
    }
    if (code === 'UND_ERR_SOCKET' && cause.message === 'bad response')
      return 'it sends "100 Continue" unasked, which this client does not take for an answer';
    const sentence = SENTENCES[code];
    if (sentence) return sentence;
    if (code.startsWith('HPE_')) return 'it does not speak HTTP on that port';
    if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return `TLS failed (${code})`;
    return `the request failed (${code})`;
  }
  return `the request failed (${error instanceof Error ? error.name : 'unknown error'})`;
}
