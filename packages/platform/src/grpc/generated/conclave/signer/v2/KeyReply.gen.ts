// Original file: ../../proto/conclave/signer/v2/control.proto


export interface KeyReply {
  'keyId'?: (string);
  'state'?: (string);
  'epoch'?: (number);
}

export interface KeyReply__Output {
  'keyId': (string);
  'state': (string);
  'epoch': (number);
}
