// Original file: ../../proto/conclave/signer/v2/control.proto


export interface SignedReply {
  'isBound'?: (boolean);
  'isWhole'?: (boolean);
  'transactions'?: (Buffer | Uint8Array | string)[];
}

export interface SignedReply__Output {
  'isBound': (boolean);
  'isWhole': (boolean);
  'transactions': (Buffer)[];
}
