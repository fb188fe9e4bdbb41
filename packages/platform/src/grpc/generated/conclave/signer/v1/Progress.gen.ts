// Original file: ../../proto/conclave/signer/v1/control.proto


export interface Progress {
  'stage'?: (string);
}

export interface Progress__Output {
  'stage': (string);
}
