// Original file: ../../proto/conclave/signer/v2/control.proto


export interface KeyAttestation {
  'signature'?: (Buffer | Uint8Array | string);
  'statement'?: (Buffer | Uint8Array | string);
  'statementSignature'?: (Buffer | Uint8Array | string);
}

export interface KeyAttestation__Output {
  'signature': (Buffer);
  'statement': (Buffer);
  'statementSignature': (Buffer);
}
