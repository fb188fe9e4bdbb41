// Original file: ../../proto/conclave/signer/v2/control.proto


export interface PresignatureIds {
  'ids'?: (string)[];
}

export interface PresignatureIds__Output {
  'ids': (string)[];
}
