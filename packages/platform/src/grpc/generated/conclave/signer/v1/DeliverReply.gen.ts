// Original file: ../../proto/conclave/signer/v1/peer.proto


export interface DeliverReply {
}

export interface DeliverReply__Output {
}
