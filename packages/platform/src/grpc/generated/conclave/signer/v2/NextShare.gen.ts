// Original file: ../../proto/conclave/signer/v2/control.proto


export interface NextShare {
  'keyId'?: (string);
  'epoch'?: (number);
  'sessionId'?: (Buffer | Uint8Array | string);
  'digest'?: (Buffer | Uint8Array | string);
  'fromEpoch'?: (number);
  'receipt'?: (Buffer | Uint8Array | string);
}

export interface NextShare__Output {
  'keyId': (string);
  'epoch': (number);
  'sessionId': (Buffer);
  'digest': (Buffer);
  'fromEpoch': (number);
  'receipt': (Buffer);
}
