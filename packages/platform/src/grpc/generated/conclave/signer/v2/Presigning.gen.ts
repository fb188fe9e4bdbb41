// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Presigning {
  'quorum'?: (number)[];
  'keyId'?: (string);
}

export interface Presigning__Output {
  'quorum': (number)[];
  'keyId': (string);
}
