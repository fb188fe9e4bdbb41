// Original file: ../../proto/conclave/signer/v1/control.proto


export interface KeyAttestation {
  'signature'?: (Buffer | Uint8Array | string);
}

export interface KeyAttestation__Output {
  'signature': (Buffer);
}
