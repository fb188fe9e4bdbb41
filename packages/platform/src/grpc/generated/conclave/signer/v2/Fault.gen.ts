// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Fault {
  'culprit'?: (number);
  'check'?: (string);
  'evidence'?: (Buffer | Uint8Array | string)[];
}

export interface Fault__Output {
  'culprit': (number);
  'check': (string);
  'evidence': (Buffer)[];
}
