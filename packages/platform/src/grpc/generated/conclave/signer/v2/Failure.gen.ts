// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Failure {
  'reason'?: (string);
  'silent'?: (number)[];
  'phase'?: (number);
}

export interface Failure__Output {
  'reason': (string);
  'silent': (number)[];
  'phase': (number);
}
