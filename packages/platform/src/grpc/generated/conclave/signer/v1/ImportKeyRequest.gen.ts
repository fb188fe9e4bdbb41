// Original file: ../../proto/conclave/signer/v1/control.proto

import type { Authorisation as _conclave_signer_v1_Authorisation, Authorisation__Output as _conclave_signer_v1_Authorisation__Output } from './Authorisation.gen.ts';
import type { Long } from '@grpc/proto-loader';

export interface ImportKeyRequest {
  'sessionId'?: (Buffer | Uint8Array | string);
  'authorisation'?: (_conclave_signer_v1_Authorisation | null);
  'encryptedShare'?: (Buffer | Uint8Array | string);
  'expiresAtMs'?: (number | string | Long);
}

export interface ImportKeyRequest__Output {
  'sessionId': (Buffer);
  'authorisation': (_conclave_signer_v1_Authorisation__Output | null);
  'encryptedShare': (Buffer);
  'expiresAtMs': (number);
}
