import { contactSample, listContactsV1, listMessagesV1 } from '@switchboard/contracts';
import { type Browser, signedIn } from './support/console';
import { type GatewayUnderTest, startGateway } from './support/gateway';

const [MESSAGE] = listMessagesV1.sample.response.messages;

describe('console lists', () => {
  let gateway: GatewayUnderTest;
  let accountId: string;
  let viewer: Browser;
  let agent: Browser & { user: { userId: string } };

  beforeAll(async () => {
    gateway = await startGateway({});
    ({ accountId } = await gateway.customer());
    viewer = await signedIn(gateway, accountId, 'viewer');
    agent = await signedIn(gateway, accountId, 'agent');
  });
  afterAll(() => gateway.close());

  it('are exported completely as CSV without formulas', async () => {
    gateway.fakes.answer(listMessagesV1, ({ cursor }) => ({
      ...listMessagesV1.sample.response,
      messages: [
        {
          ...MESSAGE,
          ...(cursor !== undefined && { userId: 'IN.1', username: 'asha', parentUserId: 'IN.ENT.2', jobId: 'job_1' }),
          content: { body: cursor === undefined ? '=cmd|A1' : 'two, "lines"\nhere' },
          referral:
            cursor === undefined
              ? {
                  source_type: 'ad',
                  source_id: '1202',
                  source_url: 'https://fb.me/x',
                  headline: 'Sale',
                  ctwa_clid: 'Aff-x',
                }
              : null,
        },
      ],
      nextCursor: cursor === undefined ? 'next' : null,
    }));
    const file = await viewer.call('GET', '/console/v1/exports/messages.csv?status=failed');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="messages.csv"');
    const lines = String(file.body.text).split('\r\n');
    expect(lines[0]).toMatch(/^id,message_id,direction,from,to,name,type,text,status,errorReason/);
    expect(lines[0]).toMatch(
      /,pricingType,referralSourceType,referralSourceId,referralSourceUrl,referralHeadline,referralCtwaClid,userId,username,parentUserId,sentByKind,sentById,sentByName$/,
    );
    expect(lines[1]).toContain(",text,'=cmd|A1,delivered,");
    expect(lines[1]).toMatch(/,service,false,free_customer_service,ad,1202,https:\/\/fb\.me\/x,Sale,Aff-x,,,,,,$/);
    expect(lines[2]).toMatch(/,service,false,free_customer_service,,,,,,IN\.1,asha,IN\.ENT\.2,job,job_1,$/);
    expect(lines[2]).toContain(',"two, ""lines""\nhere",');
    expect(gateway.fakes.of(listMessagesV1)).toMatchObject([
      { accountId, status: 'failed', limit: 100 },
      { accountId, status: 'failed', cursor: 'next' },
    ]);
    const { userId } = agent.user;
    gateway.fakes.answer(listContactsV1, () => ({
      ...listContactsV1.sample.response,
      contacts: [{ ...contactSample, optOut: { at: '2026-11-28T09:00:00.000Z', source: 'user', word: null, userId } }],
      queues: [{ assigneeId: userId, done: false, waitingSince: '2026-11-28T10:00:00.000Z' }],
    }));
    const contacts = await viewer.call('GET', '/console/v1/exports/contacts.csv?optedOut=true');
    expect(String(contacts.body.text).split('\r\n')[1]).toContain(
      `${contactSample.id},919812345678,,Asha R,Asha R,false`,
    );
    expect(String(contacts.body.text).split('\r\n')[0]).toMatch(
      /,assigneeId,assigneeName,done,waitingSince,labels,optedOutAt,optedOutSource,optedOutWord,optedOutBy$/,
    );
    expect(String(contacts.body.text).split('\r\n')[1]).toMatch(
      new RegExp(`,${userId},([^,]+),false,2026-11-28T10:00:00.000Z,VIP,2026-11-28T09:00:00.000Z,user,,\\1$`),
    );
    expect((await viewer.call('GET', '/console/v1/exports/messages.csv?phone=1')).body.code).toBe('INVALID_PHONE');
    for (const name of ['messages', 'contacts']) {
      const { cookie } = viewer;
      const raw = await fetch(`${gateway.url}/console/v1/exports/${name}.csv`, { headers: { cookie } });
      expect(Buffer.from(await raw.arrayBuffer()).toString('hex', 0, 3)).toBe('efbbbf');
    }
  });
});
