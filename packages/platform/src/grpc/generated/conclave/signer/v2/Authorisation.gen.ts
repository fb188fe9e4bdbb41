// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Authorisation {
  'payload'?: (Buffer | Uint8Array | string);
  'signature'?: (Buffer | Uint8Array | string);
}

export interface Authorisation__Output {
  'payload': (Buffer);
  'signature': (Buffer);
}
