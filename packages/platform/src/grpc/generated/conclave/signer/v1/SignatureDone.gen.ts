// Original file: ../../proto/conclave/signer/v1/control.proto


export interface SignatureDone {
  'r'?: (Buffer | Uint8Array | string);
  's'?: (Buffer | Uint8Array | string);
  'recovery'?: (number);
  'digest'?: (Buffer | Uint8Array | string);
}

export interface SignatureDone__Output {
  'r': (Buffer);
  's': (Buffer);
  'recovery': (number);
  'digest': (Buffer);
}
