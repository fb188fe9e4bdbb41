// Original file: ../../proto/conclave/signer/v2/control.proto


export interface ImportRefused {
  'refusals'?: (Buffer | Uint8Array | string)[];
}

export interface ImportRefused__Output {
  'refusals': (Buffer)[];
}
