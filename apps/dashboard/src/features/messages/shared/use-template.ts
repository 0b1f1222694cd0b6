import { useQuery } from '@tanstack/react-query';
import { api, must } from '../../../api/client';
import { withoutMarks } from '../../../lib/text-marks';
import { sentText, toSentTemplate } from '../../templates/shared/sent-template';

const AGAIN_AFTER_MS = 60_000;

/** Reads the template of a message once; lists show many messages of few templates. */
export function useTemplateOf(content: unknown) {
  const sent = toSentTemplate(content);
  const { name = '', language = '' } = sent ?? {};
  const { data } = useQuery({
    queryKey: ['templates', 'named', name, language],
    queryFn: async () => {
      const { templates } = await must(api.GET('/console/v1/templates', { params: { query: { name, language } } }));
      return templates.find((template) => template.name === name) ?? null;
    },
    enabled: sent !== undefined,
    staleTime: ({ state }) => (state.data ? 'static' : AGAIN_AFTER_MS),
  });
  return { sent, template: data ?? undefined };
}

/** Returns the text of a template message on one line, or the name of a template that is not found. */
export function useTemplateText(content: unknown): string | undefined {
  const { sent, template } = useTemplateOf(content);
  const text = sent && template && sentText(template, sent);
  return text === undefined ? sent?.name : withoutMarks(text);
}
