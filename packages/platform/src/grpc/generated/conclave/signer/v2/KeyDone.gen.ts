// Original file: ../../proto/conclave/signer/v2/control.proto


export interface KeyDone {
  'keyId'?: (string);
  'publicKey'?: (Buffer | Uint8Array | string);
  'chainCode'?: (Buffer | Uint8Array | string);
}

export interface KeyDone__Output {
  'keyId': (string);
  'publicKey': (Buffer);
  'chainCode': (Buffer);
}
