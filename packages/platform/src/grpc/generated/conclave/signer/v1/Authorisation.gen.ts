// Original file: ../../proto/conclave/signer/v1/control.proto


export interface Authorisation {
  'payload'?: (Buffer | Uint8Array | string);
  'signature'?: (Buffer | Uint8Array | string);
}

export interface Authorisation__Output {
  'payload': (Buffer);
  'signature': (Buffer);
}
