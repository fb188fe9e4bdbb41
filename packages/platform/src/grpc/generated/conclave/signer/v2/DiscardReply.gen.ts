// Original file: ../../proto/conclave/signer/v2/control.proto


export interface DiscardReply {
  'count'?: (number);
}

export interface DiscardReply__Output {
  'count': (number);
}
