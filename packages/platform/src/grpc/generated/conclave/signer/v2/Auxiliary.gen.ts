// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Auxiliary {
  'epoch'?: (number);
}

export interface Auxiliary__Output {
  'epoch': (number);
}
