import { AccountNoticeRecord, Answer, listAccountNoticesV1, ListOf, Nested } from '@switchboard/contracts';
import { Pagination, paginationOf } from '../pagination/pagination';

const { request, response } = listAccountNoticesV1.sample;

/** Page of the notices about an account (spec §11.7.3). */
@Answer({
  name: 'AccountNoticeList',
  example: () => ({ success: true, notices: response.notices, pagination: paginationOf(request, response) }),
})
export class AccountNoticeList {
  @ListOf(() => AccountNoticeRecord) notices: AccountNoticeRecord[];
  @Nested(() => Pagination) pagination: Pagination;
}
