// Original file: ../../proto/conclave/signer/v2/control.proto


export interface SignedRequest {
  'requestId'?: (string);
}

export interface SignedRequest__Output {
  'requestId': (string);
}
