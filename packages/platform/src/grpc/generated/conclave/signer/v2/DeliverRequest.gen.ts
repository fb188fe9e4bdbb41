// Original file: ../../proto/conclave/signer/v2/peer.proto


export interface DeliverRequest {
  'envelopes'?: (Buffer | Uint8Array | string)[];
}

export interface DeliverRequest__Output {
  'envelopes': (Buffer)[];
}
