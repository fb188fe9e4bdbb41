// Original file: ../../proto/conclave/signer/v2/control.proto


export interface SwitchReply {
  'subject'?: (string);
  'epoch'?: (number);
}

export interface SwitchReply__Output {
  'subject': (string);
  'epoch': (number);
}
