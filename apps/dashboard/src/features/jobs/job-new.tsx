import { Link } from '@tanstack/react-router';
import { api, must } from '../../api/client';
import { Button, Select } from '../../components/controls';
import { useList } from '../../hooks/queries';
import { Failure, Note, PageHead, Skeleton } from '../../components/display';
import { useFilters } from '../../hooks/use-filters';
import { JobForm } from './job-form';
import { useChosen } from '../templates/shared/use-chosen-template';

/**
 * Form for a bulk job from a template. Checks the rows first. Then creates the job on hold and opens its page, where
 * the user starts it.
 */
export function Page() {
  const [filters, filter] = useFilters();
  const templates = useList(
    ['templates', 'approved'],
    (cursor) =>
      must(
        api.GET('/console/v1/templates', { params: { query: { status: 'APPROVED' as const, limit: 100, cursor } } }),
      ),
    (page) => page.templates,
  );
  const sendable = templates.rows.filter(({ category }) => category !== 'AUTHENTICATION');
  const { template, choices } = useChosen(sendable, filters.template);
  const failure = templates.error && <Failure error={templates.error} onRetry={() => void templates.refetch()} />;
  if (!template)
    return (
      <div className="page narrow">
        <PageHead title="New job" />
        {failure}
        {templates.isPending && !templates.error && <Skeleton lines={6} />}
        {!templates.isPending && !templates.error && (
          <Note
            tone="info"
            actions={
              <Link className="btn sm" to="/templates">
                View templates
              </Link>
            }
          >
            A job requires an approved template. You have none yet.
          </Note>
        )}
      </div>
    );
  return (
    <JobForm
      template={template}
      choice={
        <>
          {failure}
          <Select
            label="Template"
            value={template.id}
            onChange={(id) => filter({ template: id })}
            options={choices.map(({ id, name, language }) => [id, `${name} · ${language}`] as const)}
          />
          {templates.hasNextPage && (
            <div>
              <Button size="sm" isBusy={templates.isFetchingNextPage} onClick={() => void templates.fetchNextPage()}>
                Show more templates
              </Button>
            </div>
          )}
        </>
      }
    />
  );
}
