// Original file: ../../proto/conclave/signer/v2/control.proto


export interface SwitchReply {
  'subject'?: (string);
  'epoch'?: (number);
  'handover'?: (Buffer | Uint8Array | string);
  'isWaiting'?: (boolean);
}

export interface SwitchReply__Output {
  'subject': (string);
  'epoch': (number);
  'handover': (Buffer);
  'isWaiting': (boolean);
}
