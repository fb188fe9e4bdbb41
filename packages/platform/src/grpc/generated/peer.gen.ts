import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { DeliverReply as _conclave_signer_v2_DeliverReply, DeliverReply__Output as _conclave_signer_v2_DeliverReply__Output } from './conclave/signer/v2/DeliverReply.gen.ts';
import type { DeliverRequest as _conclave_signer_v2_DeliverRequest, DeliverRequest__Output as _conclave_signer_v2_DeliverRequest__Output } from './conclave/signer/v2/DeliverRequest.gen.ts';
import type { PeerClient as _conclave_signer_v2_PeerClient, PeerDefinition as _conclave_signer_v2_PeerDefinition } from './conclave/signer/v2/Peer.gen.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  conclave: {
    signer: {
      v2: {
        DeliverReply: MessageTypeDefinition<_conclave_signer_v2_DeliverReply, _conclave_signer_v2_DeliverReply__Output>
        DeliverRequest: MessageTypeDefinition<_conclave_signer_v2_DeliverRequest, _conclave_signer_v2_DeliverRequest__Output>
        Peer: SubtypeConstructor<typeof grpc.Client, _conclave_signer_v2_PeerClient> & { service: _conclave_signer_v2_PeerDefinition }
      }
    }
  }
}

