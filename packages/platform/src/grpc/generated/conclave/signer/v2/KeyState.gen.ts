// Original file: ../../proto/conclave/signer/v2/control.proto


export interface KeyState {
  'keyId'?: (string);
  'state'?: (string);
  'publicKey'?: (Buffer | Uint8Array | string);
  'epoch'?: (number);
  'imported'?: (boolean);
  'exported'?: (boolean);
}

export interface KeyState__Output {
  'keyId': (string);
  'state': (string);
  'publicKey': (Buffer);
  'epoch': (number);
  'imported': (boolean);
  'exported': (boolean);
}
