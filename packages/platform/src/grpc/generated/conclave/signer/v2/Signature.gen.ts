// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Signature {
  'scheme'?: (string);
  'bytes'?: (Buffer | Uint8Array | string);
}

export interface Signature__Output {
  'scheme': (string);
  'bytes': (Buffer);
}
