// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Progress {
  'stage'?: (string);
}

export interface Progress__Output {
  'stage': (string);
}
