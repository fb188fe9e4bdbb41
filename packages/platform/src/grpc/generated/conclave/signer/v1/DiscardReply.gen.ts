// Original file: ../../proto/conclave/signer/v1/control.proto


export interface DiscardReply {
  'count'?: (number);
}

export interface DiscardReply__Output {
  'count': (number);
}
