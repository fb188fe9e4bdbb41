// Original file: ../../proto/conclave/signer/v1/control.proto


export interface StatusRequest {
}

export interface StatusRequest__Output {
}
