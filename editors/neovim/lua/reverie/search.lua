--- Search: a list of memories to choose from, or a quickfix list of them.

local server = require("reverie.server")

local M = {}

---@class reverie.Found
---@field title string
---@field about string its kind and project
---@field uri string of its page

---@param words string
---@param done fun(found: reverie.Found[]) not called while the daemon is away
local function look(words, done)
  server.command("find", { query = words }, function(found)
    if not found then
      return server.say(require("reverie.status").sentence(), vim.log.levels.WARN)
    end
    done(found)
  end)
end

---@param window integer
---@param found reverie.Found
local function open(window, found)
  if vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_set_current_win(window)
  end
  vim.cmd.edit({ found.uri, magic = { file = false, bar = false } })
end

--- Choose a memory and open its page. Without words: of those that bear on the file, or the newest.
---@param words string
function M.pick(words)
  local window = vim.api.nvim_get_current_win()
  look(words, function(found)
    if #found == 0 and words ~= "" then
      return server.say(("nothing is remembered about “%s”"):format(words))
    end
    table.insert(found, { title = "Search for other words …" })
    vim.ui.select(found, {
      kind = "reverie",
      prompt = words == "" and "Memories near this file" or "Memories about " .. words,
      format_item = function(item)
        return item.about and ("%s (%s)"):format(item.title, item.about) or item.title
      end,
    }, function(chosen)
      if chosen and chosen.uri then
        open(window, chosen)
      elseif chosen then
        vim.ui.input({ prompt = "Memories about: " }, function(others)
          if others and vim.trim(others) ~= "" then
            M.pick(vim.trim(others))
          end
        end)
      end
    end)
  end)
end

--- Put what is found into the quickfix list.
---@param words string
function M.list(words)
  look(words, function(found)
    if #found == 0 then
      return server.say("nothing is remembered about that")
    end
    local items = vim.tbl_map(function(item)
      return { filename = item.uri, lnum = 1, text = item.title }
    end, found)
    vim.fn.setqflist({}, " ", { title = "reverie: " .. words, items = items })
    vim.cmd("botright copen")
  end)
end

return M
