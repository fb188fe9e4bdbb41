// Original file: ../../proto/conclave/signer/v2/control.proto


export interface AuxiliaryDone {
  'epoch'?: (number);
  'digest'?: (Buffer | Uint8Array | string);
  'fromEpoch'?: (number);
  'receipt'?: (Buffer | Uint8Array | string);
}

export interface AuxiliaryDone__Output {
  'epoch': (number);
  'digest': (Buffer);
  'fromEpoch': (number);
  'receipt': (Buffer);
}
