// Original file: ../../proto/conclave/signer/v1/control.proto

import type { Authorisation as _conclave_signer_v1_Authorisation, Authorisation__Output as _conclave_signer_v1_Authorisation__Output } from './Authorisation.gen.ts';
import type { Long } from '@grpc/proto-loader';

export interface ReshareKeyRequest {
  'sessionId'?: (Buffer | Uint8Array | string);
  'authorisation'?: (_conclave_signer_v1_Authorisation | null);
  'dealers'?: (number)[];
  'publicInfo'?: (Buffer | Uint8Array | string);
  'expiresAtMs'?: (number | string | Long);
}

export interface ReshareKeyRequest__Output {
  'sessionId': (Buffer);
  'authorisation': (_conclave_signer_v1_Authorisation__Output | null);
  'dealers': (number)[];
  'publicInfo': (Buffer);
  'expiresAtMs': (number);
}
