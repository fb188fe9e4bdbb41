// Original file: ../../proto/conclave/signer/v2/control.proto


export interface Certificate {
  'certificate'?: (Buffer | Uint8Array | string);
}

export interface Certificate__Output {
  'certificate': (Buffer);
}
