// Original file: ../../proto/conclave/signer/v2/control.proto


export interface DiscardEpochReply {
  'waiver'?: (Buffer | Uint8Array | string);
}

export interface DiscardEpochReply__Output {
  'waiver': (Buffer);
}
