// Original file: ../../proto/conclave/signer/v1/control.proto


export interface KeyRequest {
  'keyId'?: (string);
  'epoch'?: (number);
  'changeSessionId'?: (Buffer | Uint8Array | string);
}

export interface KeyRequest__Output {
  'keyId': (string);
  'epoch': (number);
  'changeSessionId': (Buffer);
}
