// Original file: ../../proto/conclave/signer/v1/control.proto


export interface KeyInfo {
  'publicInfo'?: (Buffer | Uint8Array | string);
}

export interface KeyInfo__Output {
  'publicInfo': (Buffer);
}
