// Original file: ../../proto/conclave/signer/v1/control.proto


export interface KeyRequest {
  'keyId'?: (string);
}

export interface KeyRequest__Output {
  'keyId': (string);
}
