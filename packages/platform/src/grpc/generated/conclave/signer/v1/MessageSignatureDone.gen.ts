// Original file: ../../proto/conclave/signer/v1/control.proto


export interface MessageSignatureDone {
  'signature'?: (Buffer | Uint8Array | string);
  'publicKey'?: (Buffer | Uint8Array | string);
}

export interface MessageSignatureDone__Output {
  'signature': (Buffer);
  'publicKey': (Buffer);
}
