// Original file: ../../proto/conclave/signer/v2/control.proto


export interface ExportDone {
  'keyId'?: (string);
  'epoch'?: (number);
  'encryptedShare'?: (Buffer | Uint8Array | string);
  'publicKey'?: (Buffer | Uint8Array | string);
}

export interface ExportDone__Output {
  'keyId': (string);
  'epoch': (number);
  'encryptedShare': (Buffer);
  'publicKey': (Buffer);
}
