// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Refusal {
  'code'?: (string);
  'message'?: (string);
  'culprit'?: (number);
}

export interface Refusal__Output {
  'code': (string);
  'message': (string);
  'culprit': (number);
}
