// Original file: ../../proto/conclave/signer/v2/control.proto


export interface KeyChangeDone {
  'keyId'?: (string);
  'epoch'?: (number);
  'digest'?: (Buffer | Uint8Array | string);
  'fromEpoch'?: (number);
  'receipt'?: (Buffer | Uint8Array | string);
}

export interface KeyChangeDone__Output {
  'keyId': (string);
  'epoch': (number);
  'digest': (Buffer);
  'fromEpoch': (number);
  'receipt': (Buffer);
}
