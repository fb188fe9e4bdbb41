// Original file: ../../proto/conclave/signer/v1/control.proto


export interface PresignatureIds {
  'ids'?: (string)[];
}

export interface PresignatureIds__Output {
  'ids': (string)[];
}
