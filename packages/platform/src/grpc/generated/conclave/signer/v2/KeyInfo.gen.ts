// Original file: ../../proto/conclave/signer/v2/control.proto


export interface KeyInfo {
  'publicInfo'?: (Buffer | Uint8Array | string);
}

export interface KeyInfo__Output {
  'publicInfo': (Buffer);
}
