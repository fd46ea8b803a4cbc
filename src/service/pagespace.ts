import type { RateLimit } from '../domain/account/rateLimit.ts';
import type { ApiKeyAuth, TokenAccounts } from './accounts/apiKeys.ts';
import type { FileLinks } from './accounts/fileLinks.ts';
import type { KeyService } from './accounts/keyService.ts';
import type { OperatorService } from './accounts/operatorService.ts';
import type { WalletAuth } from './accounts/walletAuth.ts';
import type { LedgerService } from './billing/ledgerService.ts';
import type { ProfileService } from './secrets/profiles.ts';
import type { VaultService } from './secrets/vault.ts';
import type { FileOperations } from './sessions/fileOperations.ts';
import type { Approvals, SessionEdits, TakeOvers } from './sessions/sessionCommands.ts';
import type { SessionOperations } from './sessions/sessionOperations.ts';
import type { SessionReads, SessionStreams } from './sessions/sessionReads.ts';
import type { SessionRecords } from './sessions/sessionRecords.ts';
import type { ShareLinks } from './sessions/shareLinks.ts';

export type { ApiKeyAuth, TokenAccounts } from './accounts/apiKeys.ts';
export type { OperatedAccount, OperatedNode, ServiceState } from './accounts/operatorService.ts';
export type { WalletAuth } from './accounts/walletAuth.ts';
export type { LedgerPage, LedgerQuery } from './billing/ledgerService.ts';
export type { Hold } from './sessions/sessionCommands.ts';
export type { ListingOptions, ObservationResult } from './sessions/sessionOperations.ts';
export type { ListedShareLink } from './sessions/shareLinks.ts';

export interface NodePagespace
  extends FileLinks,
    FileOperations,
    SessionEdits,
    SessionOperations,
    SessionReads,
    SessionRecords,
    SessionStreams,
    ShareLinks,
    TakeOvers,
    KeyService,
    LedgerService,
    ProfileService,
    RateLimit,
    ApiKeyAuth,
    TokenAccounts,
    VaultService,
    Approvals,
    WalletAuth {}

/** All functions of the service, without its shutdown. The API uses only this interface. */
export interface Pagespace extends NodePagespace, OperatorService {}
