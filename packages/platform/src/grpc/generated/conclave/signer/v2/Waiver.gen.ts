// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Waiver {
  'signer'?: (number);
  'signature'?: (Buffer | Uint8Array | string);
}

export interface Waiver__Output {
  'signer': (number);
  'signature': (Buffer);
}
