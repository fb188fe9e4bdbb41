// Original file: ../../proto/conclave/signer/v2/control.proto


export interface StatusRequest {
  'allKeys'?: (boolean);
  'countsOnly'?: (boolean);
}

export interface StatusRequest__Output {
  'allKeys': (boolean);
  'countsOnly': (boolean);
}
