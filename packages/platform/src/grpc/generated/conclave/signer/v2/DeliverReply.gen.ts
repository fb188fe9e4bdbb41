// Original file: ../../proto/conclave/signer/v2/peer.proto


export interface DeliverReply {
  'taken'?: (number);
}

export interface DeliverReply__Output {
  'taken': (number);
}
