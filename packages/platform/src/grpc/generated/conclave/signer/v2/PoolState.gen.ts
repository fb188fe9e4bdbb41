// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Long } from '@grpc/proto-loader';

export interface PoolState {
  'ready'?: (number);
  'reserved'?: (number);
  'stored'?: (number | string | Long);
  'consumed'?: (number | string | Long);
  'burnt'?: (number | string | Long);
  'expired'?: (number | string | Long);
  'refused'?: (number | string | Long);
  'reused'?: (number | string | Long);
  'rolledBack'?: (number | string | Long);
}

export interface PoolState__Output {
  'ready': (number);
  'reserved': (number);
  'stored': (number);
  'consumed': (number);
  'burnt': (number);
  'expired': (number);
  'refused': (number);
  'reused': (number);
  'rolledBack': (number);
}
