// Original file: ../../proto/conclave/signer/v2/control.proto


export interface SessionState {
  'sessionId'?: (Buffer | Uint8Array | string);
  'protocol'?: (string);
  'stage'?: (string);
}

export interface SessionState__Output {
  'sessionId': (Buffer);
  'protocol': (string);
  'stage': (string);
}
