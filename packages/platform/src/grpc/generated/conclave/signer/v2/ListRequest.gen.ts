// Original file: ../../proto/conclave/signer/v2/control.proto


export interface ListRequest {
  'keyId'?: (string);
}

export interface ListRequest__Output {
  'keyId': (string);
}
