// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Progress {
  'stage'?: (string);
  'keyId'?: (string);
  'epoch'?: (number);
}

export interface Progress__Output {
  'stage': (string);
  'keyId': (string);
  'epoch': (number);
}
